import { lastWord } from "./named-files.ts";
import { fileName, plainPath } from "./same-file.ts";

/**
 * Files that were seen on the disk, by their absolute paths. A text may name a file by less than its path: it may leave out folders, and of
 * a name with spaces, only the last word is read as the name of a file.
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
	 * True if a file may be the one with this name. `sentence`: it has to contain all of a file's name with spaces; without a sentence, the end
	 * of such a name is enough.
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
