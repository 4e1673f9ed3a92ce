/** A program that asks for a plan, and returns what it came to. */
function planProgram(task: unknown): string {
	return `const made = await tools.xworkmate.createPlan(${JSON.stringify(task)}); return made.ok ? made.value.planId : made.error.message;`;
}

/** What the user says, and what the model does with it, encoded so that none of it appears in the words. */
export function said(words: string, task: unknown, ...answers: readonly (readonly object[])[]): string {
	const act = task === undefined ? [] : [`TOOL execute ${JSON.stringify({ program: planProgram(task) })}`];
	const steps = [...act, ...answers.map((segments) => `ANSWER ${JSON.stringify(segments)}`)];
	const orders = Buffer.from(steps.join(" ;; ")).toString("base64url");
	return `${words}\nORDERS:${orders}\nFAKE:${steps.map((_, index) => `OBEY ${index + 1}`).join(" ;; ")}`;
}
