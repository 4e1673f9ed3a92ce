import { fileName } from "./claims/file-name.ts";
import { lastWord } from "./claims/named-files.ts";
import { plainPath } from "./same-file.ts";

/**
 * Files that were seen on the disk, by their absolute paths. A text may give less than a file's path: it may leave out folders, and if a
 * name has spaces, only its last word is read as the name of a file.
 */
export class SeenFiles {
	readonly #byWord = new Map<string, string[]>();

	constructor(paths: Iterable<string>) {
		for (const path of paths) {
			const plain = plainPath(path);
			const word = lastWord(fileName(plain));
			const others = this.#byWord.get(word);
			if (others === undefined) this.#byWord.set(word, [plain]);
			else others.push(plain);
		}
	}

	/**
	 * True if one of the files may have this name. `sentence`: must contain the whole name of a file whose name has spaces; without a
	 * sentence, the end of the name is enough.
	 */
	has(name: string, sentence?: string): boolean {
		const end = plainPath(name);
		return (this.#byWord.get(lastWord(fileName(end))) ?? []).some((path) => {
			if (!path.endsWith(end)) return false;
			const before = path.slice(0, path.length - end.length);
			if (before === "" || before.endsWith("/")) return true;
			if (lastWord(before) !== "") return false;
			return sentence === undefined || sentence.normalize("NFC").includes(path.slice(before.lastIndexOf("/") + 1));
		});
	}
}
