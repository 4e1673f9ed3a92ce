import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { dirname } from "node:path";
import { isDiskFullCode, systemErrorCode } from "@xworkmate/platform/errors";
import { SecretFile, SecretFileError } from "@xworkmate/platform/files";

/** Length of the raw key at the end of an Ed25519 public key in DER. */
const RAW_KEY_BYTES = 32;

/** The identity of this bridge for a gateway that pairs devices. */
export interface DeviceIdentity {
	/** sha256 of the raw public key, hex. */
	readonly id: string;
	/** The raw public key, base64url. */
	readonly publicKey: string;
	/** Returns the Ed25519 signature of the text, base64url. */
	sign(text: string): string;
}

/** The key on disk cannot be used or created. An existing key is never replaced automatically, because a gateway may have paired it. */
export class DeviceKeyError extends Error {
	override readonly name = "DeviceKeyError";
	readonly fix: string;

	constructor(message: string, fix: string, cause: unknown) {
		super(message, { cause });
		this.fix = fix;
	}
}

/**
 * The identity stored at `path` (PKCS#8 PEM, mode 0600), created on the first call. Two processes that start at once get the same one.
 * @throws DeviceKeyError
 */
export async function loadDeviceIdentity(path: string): Promise<DeviceIdentity> {
	const file = new SecretFile(path);
	return identityOf(readKey(file) ?? createKey(file));
}

function identityOf(privateKey: KeyObject): DeviceIdentity {
	const raw = createPublicKey(privateKey).export({ type: "spki", format: "der" }).subarray(-RAW_KEY_BYTES);
	return {
		id: createHash("sha256").update(raw).digest("hex"),
		publicKey: raw.toString("base64url"),
		sign: (text) => sign(null, Buffer.from(text, "utf8"), privateKey).toString("base64url"),
	};
}

function readKey(file: SecretFile): KeyObject | undefined {
	try {
		const pem = file.read();
		return pem === undefined ? undefined : createPrivateKey(pem);
	} catch (error) {
		if (error instanceof SecretFileError && error.reason === "exposed") {
			throw new DeviceKeyError(error.message, `Run \`chmod 600 "${file.path}"\`.`, error);
		}
		const fix = "Restore the file from a backup. Or delete it, restart the bridge, and approve the new device on the gateway.";
		if (error instanceof SecretFileError || isNoKey(error))
			throw new DeviceKeyError(`${file.path} does not hold a usable private key.`, fix, error);
		throw unusable("read", file.path, error);
	}
}

/** Reports a file-system error as such. Without this, the error would be blamed on the gateway. */
function unusable(act: "read" | "create", path: string, error: unknown): unknown {
	const code = systemErrorCode(error);
	if (code === undefined) return error;
	const place = act === "read" ? path : dirname(path);
	const fix = isDiskFullCode(code)
		? "Free some disk space."
		: `Check that ${place} belongs to the user who runs the bridge, and that the disk works.`;
	return new DeviceKeyError(`The bridge can't ${act} its key for the gateway, ${path} (${code}).`, fix, error);
}

/** True for OpenSSL's error about text that it cannot parse. */
function isNoKey(error: unknown): boolean {
	return /^ERR_OSSL_/.test(systemErrorCode(error) ?? "");
}

function createKey(file: SecretFile): KeyObject {
	const { privateKey } = generateKeyPairSync("ed25519");
	return (isCreated(file, privateKey) ? undefined : readKey(file)) ?? privateKey;
}

function isCreated(file: SecretFile, key: KeyObject): boolean {
	try {
		return file.create(key.export({ type: "pkcs8", format: "pem" }).toString().trim());
	} catch (error) {
		throw unusable("create", file.path, error);
	}
}
