// What makes the page quicker to use. Everything here goes beside what works without it.
"use strict";
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // -- theme ------------------------------------------------------------------------------------------------------
  const themeButton = one("#theme-button");
  const themes = ["system", "light", "dark"];
  const theme = () => document.documentElement.dataset.theme || "system";
  const nameTheme = () => { themeButton.textContent = `Theme: ${theme()}`; };
  if (themeButton) {
    themeButton.hidden = false;
    nameTheme();
    themeButton.addEventListener("click", () => {
      const next = themes[(themes.indexOf(theme()) + 1) % themes.length];
      if (next === "system") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = next;
      try { localStorage.setItem("fourfold-theme", next); } catch (error) { /* kept for this page only */ }
      nameTheme();
    });
  }

  // -- keys -------------------------------------------------------------------------------------------------------
  const keys = one("#keys");
  const keysButton = one("#keys-button");
  if (keysButton) {
    keysButton.hidden = false;
    keysButton.addEventListener("click", () => keys.showModal());
  }

  // -- live search --------------------------------------------------------------------------------------------------
  const form = one("#ask");
  const field = one("#q");
  const results = one("#results");
  const WAIT_MS = 60;
  let timer = 0;
  let running = null;

  const search = async (query, push) => {
    if (running) running.abort();
    const mine = running = new AbortController();
    results.setAttribute("aria-busy", "true");
    try {
      const reply = await fetch(`/part/results?${query}`, { headers: { accept: "text/html" }, signal: mine.signal });
      const html = await reply.text();
      if (mine.signal.aborted) return;
      results.innerHTML = html;
      const place = query ? `/?${query}` : "/";
      if (push) history.pushState(null, "", place);
      else history.replaceState(null, "", place);
      fold();
      select(cards()[0] || null, false);
      performance.mark("fourfold-painted");
    } catch (error) {
      if (error.name !== "AbortError") results.innerHTML = "<p class=\"notice\">The server does not answer.</p>";
    } finally {
      if (running === mine) { running = null; results.setAttribute("aria-busy", "false"); }
    }
  };

  const asked = () => {
    const data = new URLSearchParams(location.search);
    data.delete("n");
    if (field.value.trim()) data.set("q", field.value.trim());
    else data.delete("q");
    return data.toString();
  };

  if (form && results) {
    field.addEventListener("input", () => {
      clearTimeout(timer);
      const text = field.value.trim();
      if (text.length === 1) return;
      timer = setTimeout(() => search(asked(), false), WAIT_MS);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(timer);
      search(asked(), true);
    });
    results.addEventListener("click", (event) => {
      const link = event.target.closest("a[data-live]");
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
      event.preventDefault();
      const query = new URL(link.href).searchParams;
      field.value = query.get("q") || "";
      for (const hidden of all("input[type=hidden]", form)) hidden.remove();
      search(query.toString(), true);
    });
    window.addEventListener("popstate", () => location.reload());
  }

  // -- cards and preview -----------------------------------------------------------------------------------------------
  const cards = () => all(".card");
  const current = () => one(".card.current");
  const wide = window.matchMedia("(min-width: 1280px)");
  const narrow = window.matchMedia("(max-width: 899px)");
  const previews = new Map();
  let previewing = "";

  const fold = () => { for (const rail of all(".rail-fold")) rail.open = !narrow.matches; };

  const preview = async (card) => {
    const pane = one(".preview");
    if (!pane || !wide.matches) return;
    const query = new URLSearchParams({
      path: card.dataset.path, start: card.dataset.start, end: card.dataset.end, q: field ? field.value : "",
    }).toString();
    previewing = query;
    if (!previews.has(query)) {
      const reply = await fetch(`/part/lines?${query}`, { headers: { accept: "text/html" } });
      if (!reply.ok) return;
      if (previews.size > 100) previews.clear();
      previews.set(query, await reply.text());
    }
    if (previewing !== query) return;
    pane.innerHTML = previews.get(query);
    pane.hidden = false;
    pane.parentElement.classList.add("with-preview");
    const first = one(".in", pane);
    if (first) pane.scrollTop = Math.max(first.offsetTop - 96, 0);
  };

  const select = (card, focus) => {
    const before = current();
    if (before) before.classList.remove("current");
    if (!card) return;
    card.classList.add("current");
    if (focus) {
      card.focus({ preventScroll: true });
      card.scrollIntoView({ block: "nearest" });
    }
    // After the next painting: what was asked for are the results, and a preview takes the server and the page a while.
    requestAnimationFrame(() => setTimeout(() => { if (card === current()) preview(card); }, 0));
  };

  const step = (by) => {
    const list = cards();
    if (!list.length) return;
    const at = list.indexOf(current());
    select(list[Math.min(Math.max(at + by, 0), list.length - 1)], true);
  };

  document.addEventListener("focusin", (event) => {
    const card = event.target.closest(".card");
    if (card && card !== current()) select(card, false);
  });
  document.addEventListener("click", (event) => {
    const card = event.target.closest(".card");
    if (card && card !== current()) select(card, false);
  });

  const follow = (selector) => {
    const link = current() && one(selector, current());
    if (link) link.click();
  };
  const acts = {
    "/": () => { const input = one("main input[type=search]"); if (input) { input.focus(); input.select(); } },
    "?": () => keys.showModal(),
    j: () => step(one(".card.current:focus, .card.current :focus") ? 1 : 0),
    k: () => step(-1),
    e: () => follow("a.editor"),
    g: () => follow("a.graph"),
    w: () => { const why = current() && one(".why", current()); if (why) why.open = !why.open; },
    Enter: () => follow("a.open"),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys.open) return;
    const typing = event.target.matches("input, textarea, select");
    if (event.key === "Escape") {
      const chip = one(".chip[open]");
      if (chip) chip.open = false;
      else if (typing) event.target.blur();
      return;
    }
    if (typing) {
      if (event.key === "ArrowDown" && event.target === field && cards().length) { event.preventDefault(); step(0); }
      return;
    }
    if (event.key === "Enter" && event.target.matches("a, button, summary")) return;
    const act = acts[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  // -- answers, as they are written -------------------------------------------------------------------------------------
  const region = one("#answer");
  if (region) {
    let asking = null;

    const show = (name, html) => {
      if (name === "piece") {
        let article = one(".writing", region);
        if (!article) {
          region.innerHTML = "<article class=\"said prose writing\"></article>";
          article = one(".writing", region);
        }
        article.insertAdjacentHTML("beforeend", html);
      } else {
        region.innerHTML = html;
        performance.mark("fourfold-answered");
      }
    };

    const listen = async (reply) => {
      const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const events = (rest + value).split("\n\n");
        rest = events.pop();
        for (const event of events) {
          const name = event.match(/^event: (.*)$/m);
          const data = event.match(/^data: (.*)$/m);
          if (name && data) show(name[1], JSON.parse(data[1]).html);
        }
      }
    };

    document.addEventListener("submit", async (event) => {
      const form = event.target.closest("form.asking");
      if (!form) return;
      const query = new URLSearchParams(new FormData(form)).toString();
      if (!new URLSearchParams(query).get("q").trim()) { event.preventDefault(); return; }
      event.preventDefault();
      if (asking) asking.abort();
      const mine = asking = new AbortController();
      region.setAttribute("aria-busy", "true");
      try {
        const reply = await fetch(`/part/ask?${query}`, { headers: { accept: "text/event-stream" }, signal: mine.signal });
        history.pushState(null, "", `/ask?${query}`);
        if ((reply.headers.get("content-type") || "").startsWith("text/event-stream")) await listen(reply);
        else show("error", await reply.text());
        if (!form.closest("#answer")) form.remove();
        const next = one("#question", region);
        if (next) next.focus({ preventScroll: true });
      } catch (error) {
        if (error.name !== "AbortError") region.innerHTML = "<p class=\"notice\">The server does not answer.</p>";
      } finally {
        if (asking === mine) { asking = null; region.setAttribute("aria-busy", "false"); }
      }
    });
    window.addEventListener("popstate", () => location.reload());
  }

  // -- the index, live ---------------------------------------------------------------------------------------------------
  const job = one("#job");
  if (job) {
    const line = one("#job-line");
    const bar = one("#job-bar");
    const buttons = one("#job-buttons");
    const number = new Intl.NumberFormat("en");
    let was = job.dataset.running === "true";

    const tell = (state) => {
      const busy = state.state === "running";
      bar.hidden = !busy;
      if (buttons) {
        one("[data-do=cancel]", buttons).hidden = !busy;
        one("[data-do=refresh]", buttons).disabled = busy;
        one("[data-do=force]", buttons).disabled = busy;
      }
      const p = state.progress;
      if (busy && p) {
        bar.max = Math.max(p.total, 1);
        bar.value = p.done;
        const rate = p.seconds > 0.5 ? ` · ${number.format(Math.round(p.lines / p.seconds))} lines/s` : "";
        const left = p.done && p.seconds > 1 ? ` · ${Math.ceil(p.seconds * (p.total - p.done) / p.done)} s left` : "";
        line.textContent = `${p.stage}  ${number.format(p.done)}/${number.format(p.total)} files · ${number.format(p.chunks)} chunks${rate}${left}`;
      } else if (busy) {
        bar.removeAttribute("value");
        line.textContent = "looking for changed files";
      } else if (state.state === "failed" && state.error) {
        line.textContent = `The refresh failed: ${state.error.message}`;
      } else if (was) {
        location.reload();
      }
      was = busy;
    };

    if (buttons) {
      buttons.hidden = false;
      buttons.addEventListener("click", async (event) => {
        const what = event.target.dataset.do;
        if (!what) return;
        const place = what === "cancel" ? "/api/v1/index/cancel" : `/api/v1/index${what === "force" ? "?force=true" : ""}`;
        const reply = await fetch(place, { method: "POST", headers: { "x-fourfold": "1" } });
        if (!reply.ok) line.textContent = (await reply.json()).error.message;
      });
    }
    const events = new EventSource("/api/v1/index/events?follow=true");
    events.addEventListener("message", (event) => tell(JSON.parse(event.data)));
    window.addEventListener("pagehide", () => events.close());
  }

  // -- services: syncs, live ----------------------------------------------------------------------------------------------
  const panel = one("#services");
  if (panel) {
    const BUSY_MS = 1000;
    const QUIET_MS = 15000;
    const said = one("#services-said");
    let shownPanel = "";
    let next = 0;

    const reveal = () => { for (const button of all("button[hidden]", panel)) button.hidden = false; };
    const again = (wait) => { clearTimeout(next); next = setTimeout(look, wait); };
    const look = async () => {
      let wait = QUIET_MS;
      try {
        const reply = await fetch("/part/services", { headers: { accept: "text/html" } });
        const html = await reply.text();
        if (reply.ok && html !== shownPanel) {
          const key = document.activeElement && document.activeElement.dataset ? document.activeElement.dataset.key : "";
          panel.innerHTML = shownPanel = html;
          reveal();
          const same = key && all("button", panel).find((button) => button.dataset.key === key);
          if (same) same.focus();
        }
        if (one("[data-live-busy=true]", panel)) wait = BUSY_MS;
      } catch (error) { /* the server is away; it is asked again */ }
      again(wait);
    };
    const tell = async (place, body) => {
      const headers = { "x-fourfold": "1", "content-type": "application/json" };
      const reply = await fetch(place, { method: "POST", headers, body });
      said.hidden = reply.ok;
      if (!reply.ok) said.textContent = (await reply.json()).error.message;
      look();
    };

    reveal();
    panel.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.stop) tell(`/api/v1/jobs/${button.dataset.stop}/cancel`);
      else tell("/api/v1/reindex", JSON.stringify({ service: button.dataset.sync }));
    });
    again(panel.dataset.busy === "true" ? BUSY_MS : QUIET_MS);
  }

  // -- the API page: what is left empty is not sent ------------------------------------------------------------------------
  for (const trial of all(".try")) {
    trial.addEventListener("submit", () => {
      for (const input of all("input[data-optional]", trial)) input.disabled = !input.value;
    });
    window.addEventListener("pageshow", () => { for (const input of all("input", trial)) input.disabled = false; });
  }

  const here = one(".top nav [aria-current]");
  if (here) here.scrollIntoView({ block: "nearest", inline: "nearest" });
  fold();
  if (cards().length) select(cards()[0], false);
})();
