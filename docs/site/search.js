// Search in pages that are opened as files. Browsers give these neither workers nor requests, so all comes as scripts.
// SPDX-License-Identifier: Apache-2.0
if (location.protocol === "file:") {
  window.Worker = undefined; // MkDocs' main.js then searches in the page itself
  window.addEventListener("load", function () {
    var scripts = ["lunr.js", "worker.js", "search_index.js"];
    (function load() {
      if (!scripts.length) {
        data = search_index;
        window.postMessage = function (message) {
          onWorkerMessage({data: message});
        };
        onScriptsLoaded();
        return;
      }
      var script = document.createElement("script");
      script.src = base_url + "/search/" + scripts.shift();
      script.onload = load;
      document.head.appendChild(script);
    })();
  });
}
