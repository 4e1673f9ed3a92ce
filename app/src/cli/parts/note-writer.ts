import { fstatSync, writeSync } from "node:fs";

const STDERR = 2;

/**
 * Writes notes to standard error. If that is a file, as under `nohup`, a full disk loses only the notes written while it is full: they are
 * counted, and the next note says how many. A Node stream would be destroyed by its first failed write.
 */
export function createNoteWriter(
	isFile = fstatSync(STDERR).isFile(),
	writeFile: (text: string) => void = (text) => void writeSync(STDERR, text),
): (text: string) => void {
	if (!isFile) return (text) => void process.stderr.write(text);
	let dropped = 0;
	return (text) => {
		try {
			writeFile(dropped === 0 ? text : `${dropped === 1 ? "1 note" : `${dropped} notes`} could not be written\n${text}`);
			dropped = 0;
		} catch {
			// There is nowhere else to write the note, so it is only counted.
			dropped++;
		}
	};
}
