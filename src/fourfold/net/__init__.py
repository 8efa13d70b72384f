"""Asking servers over HTTP, for the few layers that may: only where the person configured one."""
