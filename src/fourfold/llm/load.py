"""The language model that the settings name, or why there is none."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from fourfold.model.errors import BadConfig
from fourfold.net.keys import is_loopback, key_from
from fourfold.net.offline import is_offline

if TYPE_CHECKING:
    from fourfold.config.settings import Settings
    from fourfold.llm.protocol import LanguageModel
    from fourfold.llm.sdk import SdkModel

WHAT = "the language model"
NOT_CONFIGURED = "no language model is configured"
COMPATIBLE = "compatible"
OFFLINE = "offline: the language model was not asked"


def why_none(settings: Settings, environ: Mapping[str, str] | None = None) -> str:
    """Why no language model is to be asked; "" where one is. The vendors' own services are asked where
    ``llm.provider`` names one, any other server where ``llm.endpoint`` does."""
    environ = os.environ if environ is None else environ
    if not settings.llm.endpoint and settings.llm.provider == COMPATIBLE:
        return NOT_CONFIGURED
    return OFFLINE if is_offline(settings, environ) else ""


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
        key = key_from(llm.key_env, llm.endpoint, environ, what=WHAT, setting="llm.key_env")
        return OpenAIModel(llm.endpoint, llm.model, key, timeout_s=llm.timeout_s, usage=usage)
    made = _vendor(llm.provider)
    wanted = llm.key_env or ("" if is_loopback(llm.endpoint) else made.KEY_VARIABLE)
    key = key_from(wanted, llm.endpoint, environ, what=WHAT, setting="llm.key_env")
    return made(llm.model, key, endpoint=llm.endpoint, timeout_s=llm.timeout_s, usage=usage)


def _vendor(provider: str) -> type[SdkModel]:
    if provider == "anthropic":
        from fourfold.llm.anthropic_sdk import AnthropicModel

        return AnthropicModel
    from fourfold.llm.openai_sdk import OpenAISdkModel

    return OpenAISdkModel
