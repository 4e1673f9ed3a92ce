import { join } from "node:path";
import type { SetAsideFile } from "../../../api/ui-api.ts";
import { fill, words } from "../../../strings/interface.ts";
import { oneLine } from "../../../text/printable.ts";

/**
 * Where the versions that a run's files replaced are kept, one line per file. The user or an agent may have put those versions in the folder.
 */
export function setAsideLines(files: readonly SetAsideFile[], folder: string): readonly string[] {
	return files.map(
		({ relativePath, keptAs }) =>
			`${fill(words.files.setAsideAs, { name: oneLine(relativePath, 300) })} ${oneLine(join(folder, keptAs), 1_000)}`,
	);
}
