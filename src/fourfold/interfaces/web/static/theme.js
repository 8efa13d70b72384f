// The theme that was chosen, before anything is painted.
"use strict";
try {
  const chosen = localStorage.getItem("fourfold-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch (error) {
  // A browser that keeps nothing: the system's theme holds.
}
