import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { RunId } from "@xworkmate/contracts";
import { systemErrorCode } from "@xworkmate/platform/errors";
import { readIfThere, writeDurably } from "@xworkmate/platform/files";
import { RunRecord } from "./run-record.ts";

const SUFFIX = ".json";

/** The runs on disk, one file each, so that a damaged file affects no other run. */
export class RunFiles {
	readonly #folder: string;

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** The record is on disk when this returns. */
	write(record: RunRecord): void {
		writeDurably(this.#path(record.runId), JSON.stringify(record));
	}

	remove(runId: RunId): void {
		rmSync(this.#path(runId), { force: true });
	}

	/** All runs. A file whose content is not a valid record is reported to `onDamage` and left unchanged. */
	readAll(onDamage: (runId: string) => void): readonly RunRecord[] {
		return this.#names().flatMap((name) => {
			const record = parseRecord(readIfThere(join(this.#folder, name)));
			if (record === undefined) onDamage(name.slice(0, -SUFFIX.length));
			return record ?? [];
		});
	}

	#names(): readonly string[] {
		try {
			return readdirSync(this.#folder).filter((name) => name.endsWith(SUFFIX));
		} catch (error) {
			if (systemErrorCode(error) === "ENOENT") return [];
			throw error;
		}
	}

	#path(runId: RunId): string {
		return join(this.#folder, `${runId}${SUFFIX}`);
	}
}

function parseRecord(text: string | undefined): RunRecord | undefined {
	try {
		return RunRecord.safeParse(JSON.parse(text ?? "")).data;
	} catch (error) {
		if (error instanceof SyntaxError) return undefined;
		throw error;
	}
}
