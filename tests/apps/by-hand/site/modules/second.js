const answer = await fetch(new URL("../tasks.json", import.meta.url));
export const tasks = await answer.json();
