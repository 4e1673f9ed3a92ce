import type { ThreadId } from "@xworkmate/contracts";
import type { ExportPiece } from "../../src/api/export-piece.ts";
import type { CoreScene } from "./core-scene.ts";

export async function exported(scene: CoreScene, threadId: ThreadId, format: "md" | "zip") {
	const bytes: Buffer[] = [];
	let ended: Extract<ExportPiece, { type: "ended" }> | undefined;
	for await (const piece of scene.api.exportThread({ threadId, format })) {
		if (piece.type === "piece") bytes.push(Buffer.from(piece.base64, "base64"));
		else ended = piece;
	}
	return { bytes: Buffer.concat(bytes), ended };
}

/** The files of a zip whose entries are stored as they are. */
export function unzip(zip: Buffer): ReadonlyMap<string, Buffer> {
	const files = new Map<string, Buffer>();
	const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
	let at = zip.readUInt32LE(end + 16);
	for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
		const [size, nameLength, extra, comment] = [
			zip.readUInt32LE(at + 24),
			zip.readUInt16LE(at + 28),
			zip.readUInt16LE(at + 30),
			zip.readUInt16LE(at + 32),
		];
		const local = zip.readUInt32LE(at + 42);
		const name = zip.subarray(at + 46, at + 46 + nameLength).toString();
		const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
		files.set(name, zip.subarray(from, from + size));
		at += 46 + nameLength + extra + comment;
	}
	return files;
}

/** A thread whose run delivered two files. */
export async function withFiles(scene: CoreScene) {
	scene.bridge.onRun = (run) => {
		run.answer = "Here it is.";
		run.end("completed", { "out/report.md": "# Report", "b.txt": "b" });
	};
	const sent = await scene.send("Write a *report*");
	await scene.end(sent);
	return sent;
}
