import { once } from "node:events";
import { pack } from "tar-stream";

/** The two zero blocks at the end of a tar file. */
export const TAR_END = Buffer.alloc(1024);

/** Zeros that fill the last block of a file of this size. */
export function tarPadding(sizeBytes: number): Buffer {
	return TAR_END.subarray(0, (512 - (sizeBytes % 512)) % 512);
}

/**
 * The blocks before a file's bytes, with a pax header if the name or the size needs one. A pack stream is not used for the bytes
 * themselves, because it does not allow their buffers to be reused.
 */
export async function tarHeader(name: string, size: number, modifiedAt: string): Promise<Buffer> {
	const packed = pack();
	// The entry is never filled, and the stream is never read to its end. That is harmless, because neither holds resources.
	packed.entry({ name, size, mtime: new Date(modifiedAt), type: "file" });
	await once(packed, "readable");
	const blocks: Uint8Array[] = [];
	for (let block: unknown = packed.read(); block instanceof Uint8Array; block = packed.read()) blocks.push(block);
	return Buffer.concat(blocks);
}
