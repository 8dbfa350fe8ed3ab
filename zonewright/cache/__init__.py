"""The API server's objects, kept locally: list and watch, store, informer.

A reflector fills a store from list and watch; an informer hands each change to its handlers and answers reads.
"""
