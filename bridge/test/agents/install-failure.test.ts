import { expect, it } from "vitest";
import { failureOf, npmFailure } from "../../src/agents/install-failure.ts";

const source = { name: "@a/agent", version: "1.2.3", needsScripts: false };

it.each([
	["npm error code E404\nnpm error 404 Not Found", "PACKAGE_NOT_FOUND"],
	["npm ERR! code ETARGET", "PACKAGE_NOT_FOUND"],
	["npm error code EINTEGRITY", "INTEGRITY"],
	["npm error code ENOSPC", "DISK_FULL"],
	["npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write", "DISK_FULL"],
	["npm error code EAI_AGAIN", "REGISTRY_UNREACHABLE"],
	["npm error code SELF_SIGNED_CERT_IN_CHAIN", "REGISTRY_UNTRUSTED"],
	["npm error code CERT_HAS_EXPIRED", "REGISTRY_UNTRUSTED"],
	["npm error code E403", "REGISTRY_REFUSED"],
	["npm error code EROFS", "NOT_WRITABLE"],
	["npm error code EACCES", "NOT_PERMITTED"],
	["npm error code EBADPLATFORM", "PLATFORM_UNSUPPORTED"],
	["npm error code 7\nnpm error command failed", "NPM_FAILED"],
	["killed", "NPM_FAILED"],
])("what npm said last becomes a reason with its fix: %s", (said, code) => {
	const { problem } = npmFailure(said, 1, source);
	expect(problem).toMatchObject({ code, message: expect.stringMatching(/\.$/), fix: expect.stringMatching(/\.$/) });
});

it("a code that says nothing has no words of its own", () => {
	expect([failureOf(undefined, source), failureOf("EWHATEVER", source)]).toEqual([undefined, undefined]);
	expect(failureOf("EDQUOT", source)?.problem.code).toBe("DISK_FULL");
	expect(failureOf("CERT_HAS_EXPIRED", source)?.problem.fix).toContain("date and time");
});
