import type { InPlace } from "../api/in-place.ts";
import { AppError } from "../errors/app-error.ts";
import { words } from "../strings/interface.ts";

/** Something other than a regular file is at the path of a delivered file. */
export class FileBlocked extends AppError {
	override readonly name = "FileBlocked";
	readonly found: InPlace;

	constructor(found: InPlace) {
		const fix = "Move whatever is in the way, then try again.";
		super("FILE_BLOCKED", `${words.files.inPlace[found]}, so the file was not opened.`, fix);
		this.found = found;
	}
}
