// What scripts find in a world besides their own modules: other libraries, and what an earlier script of ours left there.

/** axe-core, which is loaded before our script. */
declare const axe: any;
/** HTML_CodeSniffer, likewise. */
declare const HTMLCS: any;

/** What the reading of a frame's text leaves in its world (text/read_text.js). */
declare var __design2a11yText: {
  elements: Set<Element>[]; // of each run
  runOwners: number[];
  owners: Map<any, number>;
  filled: Element[];
  decorated: Element[];
  closedRoots: WeakMap<Element, ShadowRoot> | undefined;
  unauditedFrames: Element[];
  generatedText: Map<Element, Set<string>>;
  castsFar: (style: CSSStyleDeclaration) => boolean;
  samples: Node[];
  showAgain?: () => void;
};
/** Closed shadow roots by their hosts, as the protocol gives them (page/flat_tree.py). */
declare var __design2a11yClosedRoots: WeakMap<Element, ShadowRoot> | undefined;
/** What page/changes.js has seen since its first call. */
declare var design2a11yChanges: { count: number; roots: WeakSet<Node>; observer: MutationObserver | null };
/** What page/watch.js sets up. */
declare var hasLoaded: Promise<boolean>;
declare var drive: (order: object) => Promise<object | null>;
declare var attempts: Record<string, number>;

interface CSSStyleDeclaration {
  webkitTextEmphasisColor: string;
  [property: string]: any;
}
