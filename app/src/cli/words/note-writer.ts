import { fstatSync, writeSync } from "node:fs";

const STDERR = 2;

/**
 * Writes notes to standard error. Where that is a file, as under `nohup`, a full disk costs the notes of that time
 * alone: they are counted, and the count is told with the next one. A stream of Node's would be ended by the first failure.
 */
export function createNoteWriter(
	isFile = fstatSync(STDERR).isFile(),
	writeFile: (text: string) => void = (text) => void writeSync(STDERR, text),
): (text: string) => void {
	if (!isFile) return (text) => void process.stderr.write(text);
	let dropped = 0;
	return (text) => {
		try {
			writeFile(dropped === 0 ? text : `${dropped} notes could not be written\n${text}`);
			dropped = 0;
		} catch {
			// Only counted: there is no other place to report it.
			dropped++;
		}
	};
}
