/** Programs for the script provider. Each is a whole prompt. */

/** The main job: one file, one answer. */
export const writeReport = "await tools.files.write({path:'report.md', text:'# hello'}); return 'done'";

/** Says `count` lines with a pause between, so that the stream has that many events and time between them. */
export function sayLines(count: number, pauseMs: number): string {
	return `for (let line = 1; line <= ${count}; line++) { console.log('line ' + line); await tools.time.wait({ms: ${pauseMs}}); } return 'said ${count}'`;
}

/** Writes `count` files of `bytes` bytes each, so that collecting and sealing take a while. */
export function writeMany(count: number, bytes: number): string {
	return `for (let n = 0; n < ${count}; n++) await tools.files.write({path: 'part/' + n + '.txt', text: String(n).padEnd(${bytes}, 'x')}); return 'wrote ${count}'`;
}

/** Waits, then says so. */
export function waitFor(ms: number): string {
	return `console.log('waiting'); await tools.time.wait({ms: ${ms}}); return 'waited'`;
}
