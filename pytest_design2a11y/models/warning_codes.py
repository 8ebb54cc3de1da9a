"""The codes of all warnings about pages, which limits may name: `warnings.page_clipped<=0`."""

from __future__ import annotations

#: Those of metrics, such as `elements_unmeasured`, are not among them.
WARNING_CODES = (
    "answer_files", "asset_limits", "asset_versions", "axe_in_english", "axe_rules_failed",
    "blocked_requests", "blocks_not_seen", "chat_text_stripped", "closed_shadow", "counted_as_white",
    "dialogs", "downloads", "elements_limit", "encoding", "exclude_missing", "hidden_overflow", "hidden_text",
    "htmlcs_iframes_skipped", "iframes_skipped", "js_errors", "little_matched", "load_limits",
    "load_unfinished", "markdown_fence_stripped", "mask_missing", "merged_documents", "missing_files",
    "missing_glyphs", "mostly_picture", "navigations", "not_closed", "nothing_shown", "page_clipped",
    "part_ambiguous", "picture_16bit", "picture_animated", "picture_cmyk", "picture_cropped", "picture_lossy",
    "picture_low_confidence", "picture_not_audited", "picture_profile", "picture_rescaled", "picture_rotated",
    "picture_transparent", "picture_width_unknown", "picture_window", "pictures_not_kept",
    "placeholders_drawn", "popups", "quirks_mode", "redirected", "refused_files", "repeated_content",
    "requests_pending", "retried", "scripts_stopped", "several_code_blocks", "several_pages",
    "shadowing_names", "stray_text", "swallowed_content", "timers_pending", "truncated_html",
    "unaudited_text", "unbuilt_scripts", "unclosed_element", "unreachable_hosts", "unrecorded_assets",
    "unwatched_browser", "wrapper_stripped",
)  # fmt: skip
