# Turns the style and script of pages into C.
# SPDX-License-Identifier: Apache-2.0
PAGE_TEXTS := bridge/page/page.css bridge/page/page.js

$(O)/gen/page_texts.c: $(PAGE_TEXTS) mk/page.mk
	@mkdir -p $(@D)
	$(Q)for f in $(PAGE_TEXTS); do \
	  echo "extern const char hd_page_$${f##*.}[]; const char hd_page_$${f##*.}[] = {"; \
	  od -An -v -tu1 $$f | sed 's/ *\([0-9][0-9]*\)/(char)\1,/g'; echo "0};"; done >$@

$(O)/obj/gen/page_texts.o: $(O)/gen/page_texts.c $(O)/flags
	@mkdir -p $(@D)
	@echo "CC $<"
	$(Q)$(CC_LINE) -c $< -o $@

$(O)/libhd_bridge.a: $(O)/obj/gen/page_texts.o
