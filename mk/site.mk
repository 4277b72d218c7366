# Builds the documentation as a site, and draws its drawings.
# SPDX-License-Identifier: Apache-2.0
.PHONY: site test-site drawings
## site: build a site of all pages with search, tables and the C API, for browsers without a network: build/site/index.html
site: $(O)/heddle
	$(Q)docs/site/site.py $(O)/heddle $(B)/site
	@echo "$(B)/site/index.html"

## test-site: test that every link of the site leads to a page, that its tables and drawings are made, and that the test can fail
test-site: $(O)/heddle
	$(Q)tests/docs/site_test.sh "$$PWD/$(O)/heddle"

## drawings: draw the SVGs of drawings in DOT again (graphviz)
drawings:
	$(Q)for f in docs/*.dot; do docs/site/drawing.sh $$f >$(B)/drawing.svg && cp $(B)/drawing.svg $${f%dot}svg || exit; done
