"""The main thread wakes for a signal, whichever thread the kernel gives it to."""

import pytest

SIGNAL_TO_ANOTHER_THREAD = """
    import signal, threading
    from zonewright.manager.manager import Wakeup

    got = []
    signal.signal(signal.SIGUSR1, lambda *_: got.append(1))
    # It computes, so that the signal does not interrupt a system call of the main thread's.
    busy = threading.Thread(target=lambda: [sum(range(1000)) for _ in iter(lambda: not got, False)], daemon=True)
    busy.start()
    wakeup = Wakeup()
    wakeup.hear_signals()
    threading.Timer(0.2, lambda: signal.pthread_kill(busy.ident, signal.SIGUSR1)).start()
    {wait}
    assert got
    wakeup.close()
"""


def test_a_signal_that_another_thread_gets_wakes_the_main_thread(run_python):
    run_python(SIGNAL_TO_ANOTHER_THREAD.format(wait="wakeup.wait()"))


def test_it_would_not_wake_a_lock(run_python):
    # The reason for all this. If it ever fails, Python has learnt it and an Event will do.
    with pytest.raises(Exception, match="non-zero exit status"):
        run_python(
            SIGNAL_TO_ANOTHER_THREAD.format(wait="threading.Event().wait(1); assert not got; raise SystemExit(3)")
        )


def test_a_thread_wakes_it_too_however_often(run_python):
    run_python("""
        import threading
        from zonewright.manager.manager import Wakeup

        wakeup = Wakeup()
        thread = threading.Thread(target=lambda: [wakeup.wake() for _ in range(1_000_000)])
        thread.start()
        thread.join()
        wakeup.wait()
        wakeup.close()
        wakeup.wake()  # nobody waits: nothing happens
    """)
