"""The language model that the settings name, or why there is none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fourfold.model.errors import BackendUnavailable, BadConfig

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.llm.protocol import LanguageModel
    from fourfold.llm.sdk import SdkModel

NOT_CONFIGURED = "no language model is configured"
COMPATIBLE = "compatible"
OFFLINE = "offline: the language model was not asked"
_OFF = frozenset({"", "0", "false", "no", "off"})


def why_none(settings: Settings, environ: Mapping[str, str] | None = None) -> str:
    """Why no language model is to be asked; "" where one is. The vendors' own services are asked where
    ``llm.provider`` names one, any other server where ``llm.endpoint`` does."""
    environ = os.environ if environ is None else environ
    if not settings.llm.endpoint and settings.llm.provider == COMPATIBLE:
        return NOT_CONFIGURED
    return OFFLINE if is_offline(settings, environ) else ""


def is_offline(settings: Settings, environ: Mapping[str, str] | None = None) -> bool:
    """True where no model of another program is to be asked, by the settings or by ``HF_HUB_OFFLINE``."""
    environ = os.environ if environ is None else environ
    return settings.offline or environ.get("HF_HUB_OFFLINE", "").strip().lower() not in _OFF


def load_model(settings: Settings, environ: Mapping[str, str] | None = None) -> LanguageModel | None:
    """The configured model, or None where :func:`why_none` has a reason. Nothing is sent yet.

    Raises BadConfig where the settings do not fit together, BackendUnavailable where the key or the vendor's package
    is not there.
    """
    environ = os.environ if environ is None else environ
    if why_none(settings, environ):
        return None
    from fourfold.llm.usage import Usage

    llm = settings.llm
    usage = Usage(llm.input_price, llm.output_price)
    if llm.provider == COMPATIBLE:
        from fourfold.llm.openai import OpenAIModel

        if not llm.model:
            raise BadConfig("llm.endpoint is set but llm.model is not", hint="name the model as the server knows it")
        key = _key(llm.key_env, llm.endpoint, environ)
        return OpenAIModel(llm.endpoint, llm.model, key, timeout_s=llm.timeout_s, usage=usage)
    made = _vendor(llm.provider)
    wanted = llm.key_env or ("" if is_loopback(llm.endpoint) else made.KEY_VARIABLE)
    key = _key(wanted, llm.endpoint, environ)
    return made(llm.model, key, endpoint=llm.endpoint, timeout_s=llm.timeout_s, usage=usage)


def _vendor(provider: str) -> type[SdkModel]:
    if provider == "anthropic":
        from fourfold.llm.anthropic_sdk import AnthropicModel

        return AnthropicModel
    from fourfold.llm.openai_sdk import OpenAISdkModel

    return OpenAISdkModel


def _key(variable: str, endpoint: str, environ: Mapping[str, str]) -> str:
    """The key, from the environment only."""
    if not variable:
        return ""
    key = environ.get(variable, "").strip()
    if not key:
        raise BackendUnavailable(
            f"the variable {variable} that should hold the language model's key is not set",
            hint="set it, or empty llm.key_env where the server wants no key",
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BackendUnavailable(f"the variable {variable} holds no key", hint="a key is printable ASCII, no spaces")
    if urlsplit(endpoint).scheme == "http" and not is_loopback(endpoint):
        raise BadConfig("a key is sent to another machine over https only", hint="use https, or empty llm.key_env")
    return key


def is_loopback(address: str) -> bool:
    """True where an address is of this machine."""
    host = urlsplit(address).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
