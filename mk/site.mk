# The documentation as a site, and its drawings.
# SPDX-License-Identifier: Apache-2.0
.PHONY: site test-site drawings
## site: all pages with search, their tables and the C API, for browsers without a network: build/site/index.html
site: $(O)/heddle
	$(Q)docs/site/site.py $(O)/heddle $(B)/site
	@echo "$(B)/site/index.html"

## test-site: every link of the site leads somewhere, its tables and drawings are made; and that this can be missed
test-site: $(O)/heddle
	$(Q)tests/docs/site_test.sh "$$PWD/$(O)/heddle"

## drawings: make the SVGs of drawings in DOT anew (graphviz)
drawings:
	$(Q)for f in docs/*.dot; do docs/site/drawing.sh $$f >$(B)/drawing.svg && cp $(B)/drawing.svg $${f%dot}svg || exit; done
