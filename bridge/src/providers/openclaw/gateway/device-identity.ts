import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { constants } from "node:fs";
import { link, mkdir, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { ifAbsent } from "@xworkmate/platform/errors";

/** Length of the DER head before the raw key in an Ed25519 public key. */
const RAW_KEY_BYTES = 32;
const MAX_KEY_FILE_BYTES = 4_096;

/** Who this bridge is to a gateway that pairs devices. */
export interface DeviceIdentity {
	/** sha256 of the raw public key, hex. */
	readonly id: string;
	/** The raw public key, base64url. */
	readonly publicKey: string;
	/** Ed25519 over the text, base64url. */
	sign(text: string): string;
}

/**
 * The identity stored at `path` (PKCS#8 PEM, mode 0600), made on the first call.
 * @throws what the file system says; an unreadable key is not replaced, since a gateway may have paired it
 */
export async function loadDeviceIdentity(path: string): Promise<DeviceIdentity> {
	return identityOf(createPrivateKey((await readKey(path)) ?? (await createKey(path))));
}

function identityOf(privateKey: KeyObject): DeviceIdentity {
	const raw = createPublicKey(privateKey).export({ type: "spki", format: "der" }).subarray(-RAW_KEY_BYTES);
	return {
		id: createHash("sha256").update(raw).digest("hex"),
		publicKey: raw.toString("base64url"),
		sign: (text) => sign(null, Buffer.from(text, "utf8"), privateKey).toString("base64url"),
	};
}

async function readKey(path: string): Promise<string | undefined> {
	try {
		await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
		const { size } = await file.stat();
		if (size > MAX_KEY_FILE_BYTES) throw new Error(`${path} is not a key`);
		return await file.readFile("utf8");
	} catch (error) {
		return ifAbsent(error);
	}
}

/** Written beside and linked into place: whole or not at all, and never over another one. */
async function createKey(path: string): Promise<string> {
	const { privateKey } = generateKeyPairSync("ed25519");
	const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const beside = `${path}.${process.pid}`;
	await rm(beside, { force: true });
	{
		await using file = await open(beside, "wx", 0o600);
		await file.writeFile(pem);
		await file.sync();
	}
	await link(beside, path);
	await rm(beside);
	return pem;
}
