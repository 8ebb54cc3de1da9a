export const load = async () => {
  await new Promise((resolve) => setTimeout(resolve, 150));
  return (await import("./second.js")).tasks;
};
