import { createHash } from "node:crypto";
import type { Stats } from "node:fs";
import { join } from "node:path";
import type { Sha256 } from "@xworkmate/contracts";
import { openPlainFile } from "./open-plain-file.ts";

const KEPT = 10_000;

/** Hashes of plain files; a file that has not changed is not read again. */
export class FileHashes {
	readonly #reading = new Map<string, Promise<Sha256>>();
	readonly #known = new Map<string, { readonly mark: string; readonly sha256: Sha256 }>();

	/**
	 * The sha256 in lowercase hex, computed in bounded memory.
	 * @throws AppError FILE_NOT_FOUND, FILE_BLOCKED
	 */
	async hash(root: string, segments: readonly string[], stats: Stats): Promise<Sha256> {
		const path = join(root, ...segments);
		const mark = [stats.dev, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].join(" ");
		const known = this.#known.get(path);
		if (known?.mark === mark) return known.sha256;
		// Several pages may ask at once; a large file is then read only once for all of them.
		const name = `${mark} ${path}`;
		const reading = this.#reading.get(name) ?? hashPlainFile(root, segments).finally(() => this.#reading.delete(name));
		this.#reading.set(name, reading);
		const sha256 = await reading;
		this.#known.set(path, { mark, sha256 });
		for (const oldest of this.#known.keys()) {
			if (this.#known.size <= KEPT) break;
			this.#known.delete(oldest);
		}
		return sha256;
	}
}

async function hashPlainFile(root: string, segments: readonly string[]): Promise<Sha256> {
	const file = await openPlainFile(root, segments);
	const hash = createHash("sha256");
	for await (const chunk of file.read(0, file.sizeBytes - 1)) hash.update(chunk);
	return hash.digest("hex");
}
