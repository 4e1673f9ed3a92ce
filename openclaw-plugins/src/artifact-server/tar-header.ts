import { once } from "node:events";
import { pack } from "tar-stream";

/** A tar file's last two blocks. */
export const TAR_END = Buffer.alloc(1024);

/** Zeros that fill the last block of a file of this size. */
export function tarPadding(sizeBytes: number): Buffer {
	return TAR_END.subarray(0, (512 - (sizeBytes % 512)) % 512);
}

/** The blocks before a file's bytes, with a pax header where the name or the size needs one. The bytes themselves are sent from buffers that are used again, which a pack stream does not allow. */
export async function tarHeader(name: string, size: number, modifiedAt: string): Promise<Buffer> {
	const packed = pack();
	// The entry is never filled, and the stream never read to its end: it holds nothing that has to be let go.
	packed.entry({ name, size, mtime: new Date(modifiedAt), type: "file" });
	await once(packed, "readable");
	const blocks: Uint8Array[] = [];
	for (let block: unknown = packed.read(); block instanceof Uint8Array; block = packed.read()) blocks.push(block);
	return Buffer.concat(blocks);
}
