/* Sorts tables, chooses signals and copies commands. The page can be read without this script.
 * SPDX-License-Identifier: Apache-2.0
 */
"use strict";
(function () {
  function value(row, column) {
    const cell = row.cells[column];
    return "v" in cell.dataset ? cell.dataset.v : cell.textContent.trim();
  }

  function sortBy(table, column, button) {
    const head = button.parentNode;
    const number = head.classList.contains("n");
    const before = head.getAttribute("aria-sort");
    const up = before ? before === "descending" : !number;
    const rows = Array.from(table.tBodies[0].rows);
    const collate = new Intl.Collator("en", { numeric: true });
    rows.sort(function (a, b) {
      const x = value(a, column), y = value(b, column);
      const order = number ? (parseFloat(x) || 0) - (parseFloat(y) || 0) : collate.compare(x, y);
      return up ? order : -order;
    });
    rows.forEach(function (row) { table.tBodies[0].appendChild(row); });
    Array.from(head.parentNode.cells).forEach(function (th) { th.removeAttribute("aria-sort"); });
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
  }

  document.querySelectorAll("table.sort").forEach(function (table) {
    Array.from(table.tHead.rows[0].cells).forEach(function (th, column) {
      const button = document.createElement("button");
      button.type = "button";
      while (th.firstChild) button.appendChild(th.firstChild);
      th.appendChild(button);
      button.addEventListener("click", function () { sortBy(table, column, button); });
    });
  });

  function button(words, place, act) {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = words;
    b.addEventListener("click", act);
    place.appendChild(b);
    return b;
  }

  const timeline = document.querySelector(".timeline");
  if (timeline) {
    const place = document.createElement("div");
    place.className = "buttons";
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", "Which signals");
    const port = timeline.dataset.port;
    const names = ["What differs", port < 16 ? "and port " + port : "and its port", "All"];
    const show = function (most) {
      timeline.querySelectorAll("tbody tr").forEach(function (row) {
        row.hidden = Number(row.dataset.g) > most;
      });
      buttons.forEach(function (b, i) { b.setAttribute("aria-pressed", String(i === most)); });
    };
    const buttons = names.map(function (name, i) {
      return button(name, place, function () { show(i); });
    });
    timeline.parentNode.insertBefore(place, timeline);
    show(1);
    const at = timeline.querySelector("thead .at");
    if (at) timeline.scrollLeft = at.offsetLeft - timeline.clientWidth * 0.55;
    window.addEventListener("beforeprint", function () { show(2); });
  }

  if (navigator.clipboard) {
    document.querySelectorAll("pre.command").forEach(function (pre) {
      const command = pre.textContent;
      button("copy", pre, function () { navigator.clipboard.writeText(command); });
    });
  }
  document.documentElement.dataset.script = "ran";
})();
