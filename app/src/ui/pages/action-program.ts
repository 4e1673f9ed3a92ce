import { words } from "../../strings/interface.ts";
import { localDate } from "../text/local-date.ts";

const HOUR = 9;

/**
 * The program of the first action: a single call to a tool that changes something, so that the call needs approval. `now` is the time by
 * this computer's clock.
 */
export function actionProgram(now: Date): string {
	const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
	const two = (value: number) => String(value).padStart(2, "0");
	// The calendar needs times with an offset from UTC.
	const east = -new Date(day.getFullYear(), day.getMonth(), day.getDate(), HOUR).getTimezoneOffset();
	const offset = `${east < 0 ? "-" : "+"}${two(Math.floor(Math.abs(east) / 60))}:${two(Math.abs(east) % 60)}`;
	const date = localDate(day);
	return `const created = await tools.calendar.createEvent({
	title: ${JSON.stringify(words.firstAction.event)},
	start: "${date}T${two(HOUR)}:00:00${offset}",
	end: "${date}T${two(HOUR)}:30:00${offset}",
});
if (!created.ok) return "Not created: " + created.error.message;
return "Created. The receipts below show what was requested, who allowed it and how it ended.";`;
}

export function actionPrompt(program: string): string {
	return `${words.firstAction.task}\n\n\`\`\`ts\n${program}\n\`\`\`\n`;
}
