import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createAppToken, readAppToken } from "../../../src/server/access/app-token.ts";
import { temporaryHome } from "../../support/temporary-home.ts";

it("a token that other users could read is replaced by one that they cannot", async () => {
	using home = temporaryHome();
	const path = join(home.path, "app", "token");
	mkdirSync(join(home.path, "app"));
	writeFileSync(path, "an old token");
	chmodSync(path, 0o644);
	const token = await createAppToken(home.path);
	expect(await readAppToken(home.path)).toBe(token);
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("a link in the token's place is replaced, and what it leads to is kept", async () => {
	using home = temporaryHome();
	const elsewhere = join(home.path, "elsewhere");
	mkdirSync(join(home.path, "app"));
	writeFileSync(elsewhere, "theirs");
	symlinkSync(elsewhere, join(home.path, "app", "token"));
	const token = await createAppToken(home.path);
	expect(readFileSync(elsewhere, "utf8")).toBe("theirs");
	expect(await readAppToken(home.path)).toBe(token);
});

it("a token that was opened to other users is not used, and the user is told what to do", () => {
	using home = temporaryHome();
	createAppToken(home.path);
	chmodSync(join(home.path, "app", "token"), 0o644);
	expect(() => readAppToken(home.path)).toThrow(expect.objectContaining({ code: "APP_TOKEN_EXPOSED" }));
});
