"""The switches of a Chromium in which a page looks the same each time, and reaches nothing."""

# The last occurrence of this switch counts. The first four are what Playwright sets for a headless
# browser; the last one makes animated images show only their first picture.
_BLINK_SETTINGS = (
    "primaryHoverType=2",
    "availableHoverTypes=2",
    "primaryPointerType=4",
    "availablePointerTypes=4",
    "imageAnimationPolicy=2",
)

# Here too only the last occurrence counts: what Playwright 1.65 turns off; address bar suggestions, for which
# a headless window would start two renderers with every page; and whatever shows frames late.
_DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "PaintHoldingForIframes",
    "ThrottleUnimportantFrameRate",
    "ThrottleUnimportantFrameTimers",
    # Their requests go through the routing of the page that starts them.
    "SharedWorker",
)

_NO_DIRECT_WEBRTC = "--webrtc-ip-handling-policy=disable_non_proxied_udp"

ARGUMENTS = (
    f"--disable-features={','.join(_DISABLED_FEATURES)}",
    f"--blink-settings={','.join(_BLINK_SETTINGS)}",
    # All frames of a page run in one process, so that sandboxed and foreign ones can be read too. Pages are
    # separated by their contexts, and none has anything that another frame of it could steal.
    "--disable-site-isolation-trials",
    _NO_DIRECT_WEBRTC,
    # With small tiles, some of them kept from before the page was fully laid out, rounded corners differ by
    # one level of one color between shots.
    "--default-tile-width=2048",
    "--default-tile-height=2048",
    "--disable-partial-raster",
    "--hide-scrollbars",
    "--mute-audio",
    # Here too only the last occurrence counts. CSS's random() would make a page look different on every load;
    # without it, the page uses its fallback for older browsers.
    "--disable-blink-features=AutomationControlled,CSSRandomFunction",
)

# No name is resolved and no address reached, not even a proxy's: neither by page features other than requests
# (WebRTC, WebTransport, preconnect), nor by the browser itself. These come after the user's own arguments.
HERMETIC_ARGUMENTS = ("--host-resolver-rules=MAP * ~NOTFOUND", _NO_DIRECT_WEBRTC)

# Playwright lets pages open windows without a click.
UNWANTED = ("--disable-popup-blocking",)
