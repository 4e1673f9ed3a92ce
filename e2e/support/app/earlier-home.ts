import { createReadStream } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { type TemporaryHome, temporaryHome } from "../machine/temporary-home.ts";

/** A home as the code of an earlier commit left it (e2e/fixtures/homes/README.md), at a place of its own. */
export async function earlierHome(commit: string): Promise<TemporaryHome> {
	const home = await temporaryHome();
	const file = fileURLToPath(new URL(`../../fixtures/homes/${commit}.tar.gz`, import.meta.url));
	for await (const entry of createReadStream(file).pipe(createGunzip()).pipe(extract())) {
		const { name, type, mode = 0o600 } = entry.header;
		const path = join(home.xworkmate, name);
		const bytes = await buffer(entry);
		await mkdir(type === "directory" ? path : dirname(path), { recursive: true });
		if (type !== "directory") await writeFile(path, bytes);
		await chmod(path, mode);
	}
	return home;
}
