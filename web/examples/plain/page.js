// What a page can do with the element: listen, and set.
document.getElementById("first").addEventListener("change", ({ detail: { estimate } }) => {
  const { per_gpu, capacity, fits } = estimate.memory;
  document.getElementById("said").textContent = `${(per_gpu.device / 1e9).toFixed(1)} de ${(capacity / 1e9).toFixed(1)} GB: ${fits ? "cabe" : "não cabe"}`;
});
document.getElementById("theme").addEventListener("click", () => {
  const root = document.documentElement;
  root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark";
});
