// What reads a property of a node whatever hides it there: an element's own may have been replaced.

/** @type {(prototype: object, name: string) => (this: unknown) => any} */
export const getterOf = (prototype, name) => /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, name)?.get);
