import { ContractError } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import { ArtifactStoreError } from "../../src/artifacts/artifact-store-error.ts";
import { normalizeError } from "../../src/rpc/index.ts";
import { failureMessage } from "../../src/runs/engine/failure-message.ts";
import { StoreError } from "../../src/store/sqlite/index.ts";

const systemError = (code: string) => Object.assign(new Error(`${code}: no space left on device, write '/secret/place'`), { code });

it.each([
	["the store", new StoreError("STORE_FULL", "/secret/place cannot be written: the disk is full.")],
	["the artifact store", new ArtifactStoreError("VAULT_FULL", "the artifact store failed")],
	["the system", systemError("ENOSPC")],
	["a quota", systemError("EDQUOT")],
	["a cause", new Error("the folder cannot be made", { cause: systemError("ENOSPC") })],
])("a full disk is told as DISK_FULL, retryable and with a fix, without a path: %s", (_, thrown) => {
	const { data, message } = normalizeError(thrown).toWire();
	expect(data).toMatchObject({ code: "DISK_FULL", retryable: true, fix: expect.stringContaining("Free some space") });
	expect(message).toContain("is full");
	expect(JSON.stringify({ data, message })).not.toContain("secret");
});

it.each([
	["by the store", new StoreError("STORE_CORRUPT", "/secret/place is damaged.")],
	["by a cause", new Error("the run cannot be read", { cause: new StoreError("STORE_CORRUPT", "/secret/place is damaged.") })],
])("a damaged database is named, with what to do and without a path, when it is told %s", (_, thrown) => {
	const { data, message } = normalizeError(thrown).toWire();
	expect(data).toMatchObject({ code: "DATABASE_DAMAGED", fix: expect.stringContaining("restore the file from a backup") });
	expect(message).toContain("bridge/bridge.sqlite");
	expect(JSON.stringify({ data, message })).not.toContain("secret");
	expect(failureMessage(thrown)).toBe(message);
});

it("any other failure of the bridge stays INTERNAL, and what was named stays", () => {
	expect(normalizeError(systemError("EIO")).code).toBe("INTERNAL");
	expect(normalizeError("odd").code).toBe("INTERNAL");
	expect(normalizeError(new ContractError("QUEUE_FULL")).code).toBe("QUEUE_FULL");
});
