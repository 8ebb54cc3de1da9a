// Reads a property of a node even where something hides it: an element's own may have been replaced.

/** @type {(prototype: object, name: string) => (this: unknown) => any} */
export const getterOf = (prototype, name) => /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
