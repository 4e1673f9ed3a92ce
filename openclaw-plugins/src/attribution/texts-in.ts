const MAX_TEXTS = 2000;
const MAX_DEPTH = 10;

/** The strings inside a value of any type, down to 10 levels, and at most 2000 of them. */
export function textsIn(value: unknown): readonly string[] {
	const texts: string[] = [];
	collect(value, 0, texts);
	return texts;
}

function collect(value: unknown, depth: number, texts: string[]): void {
	if (texts.length >= MAX_TEXTS || depth > MAX_DEPTH) return;
	if (typeof value === "string") texts.push(value);
	else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) collect(inner, depth + 1, texts);
}
