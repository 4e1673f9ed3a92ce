import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { type SecretFile, SecretFileError } from "@xworkmate/platform/files";

/** An Ed25519 key that signs the ledger's lines. */
export class LedgerKey {
	readonly #private: KeyObject;
	/** The raw key in base64url. */
	readonly publicKey: string;

	private constructor(key: KeyObject) {
		this.#private = key;
		this.publicKey = String(createPublicKey(key).export({ format: "jwk" }).x);
	}

	/** The key in a file; undefined if the file is absent or damaged, or can be read by others. */
	static read(file: SecretFile): LedgerKey | undefined {
		let pem: string | undefined;
		try {
			pem = file.read();
		} catch (error) {
			if (error instanceof SecretFileError) return undefined;
			throw error;
		}
		try {
			const key = pem === undefined ? undefined : createPrivateKey(pem);
			return key?.asymmetricKeyType === "ed25519" ? new LedgerKey(key) : undefined;
		} catch {
			// The file does not contain a key.
			return undefined;
		}
	}

	/** A new key, which replaces the one in the file. */
	static create(file: SecretFile): LedgerKey {
		const { privateKey } = generateKeyPairSync("ed25519");
		file.replace(String(privateKey.export({ type: "pkcs8", format: "pem" })).trim());
		return new LedgerKey(privateKey);
	}

	/** The signature in base64url. */
	sign(text: string): string {
		return sign(null, Buffer.from(text), this.#private).toString("base64url");
	}
}

/** Checks signatures. Each public key is parsed only once. */
export function signatureCheck(): (publicKey: string, text: string, signature: string) => boolean {
	const keys = new Map<string, KeyObject | undefined>();
	return (publicKey, text, signature) => {
		if (!keys.has(publicKey)) keys.set(publicKey, publicKeyOf(publicKey));
		const key = keys.get(publicKey);
		return key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, "base64url"));
	};
}

function publicKeyOf(raw: string): KeyObject | undefined {
	try {
		return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: raw }, format: "jwk" });
	} catch {
		return undefined;
	}
}
