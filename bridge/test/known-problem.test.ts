import { once } from "node:events";
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { ConfigError } from "../src/config/config-error.ts";
import { createWebhookServer } from "../src/http/index.ts";
import { knownProblem } from "../src/known-problem.ts";
import { StoreError } from "../src/store/sqlite/index.ts";

const HOME = "/home/a/.xworkmate";
const refused = (code: string) =>
	Object.assign(new Error(`${code}: refused, open '/home/a/.xworkmate/bridge/token'`), { code, path: "/home/a/.xworkmate/bridge/token" });

it.each([
	["ENOSPC", "can't be written because the disk is full. Free some space"],
	["EDQUOT", "can't be written because your quota on that disk is used up. Free some space"],
	["EROFS", "can't be written because its file system is read-only. Make it writable"],
	["EACCES", "can't be used because permission was denied. Check its owner and permissions"],
	["EPERM", "can't be used because permission was denied. Check its owner and permissions"],
])("a start that is refused with %s names the path and the fix in one line", (code, words) => {
	const said = knownProblem(refused(code), HOME);
	expect(said).toContain(`/home/a/.xworkmate/bridge/token ${words}`);
	expect(said).toContain("XWORKMATE_HOME");
	expect(said).not.toContain("\n");
});

it("a setting's and the store's own words stand, and a fault of the program is none of these", () => {
	expect(knownProblem(new ConfigError("there is no setting X.", "Remove it."), HOME)).toBe("There is no setting X. Remove it.");
	expect(knownProblem(new StoreError("STORE_FULL", "/a is full.", { fix: "Free some space." }), HOME)).toBe("/a is full. Free some space.");
	expect(knownProblem(refused("ENOENT"), HOME)).toBeUndefined();
	expect(knownProblem(new TypeError("x is not a function"), HOME)).toBeUndefined();
});

it("a failure of a file that is open names the home", () => {
	const write = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
	expect(knownProblem(write, HOME)).toContain(`${HOME} can't be written because the disk is full.`);
});

it("a port that another program uses is named with the setting, in one line", async () => {
	const other = createServer().listen(0, "127.0.0.1");
	await once(other, "listening");
	const address = other.address();
	if (address === null || typeof address === "string") throw new Error("the other program has no port");
	const [failure] = await once(createServer().listen(address.port, "127.0.0.1"), "listening").then(
		() => [undefined],
		(error: unknown) => [error],
	);
	other.close();
	expect(knownProblem(failure, HOME)).toBe(
		`The bridge can't listen on 127.0.0.1, port ${address.port}, because another program is using that port. End that program, or set XWORKMATE_BRIDGE_LISTEN to an address with another port.`,
	);
});

it("the port of the webhooks is named with its own setting", async () => {
	const other = createServer().listen(0, "127.0.0.1");
	await once(other, "listening");
	const address = other.address();
	if (address === null || typeof address === "string") throw new Error("the other program has no port");
	const whatsapp = { secrets: () => ({}), take: () => Promise.resolve() };
	await using webhooks = createWebhookServer({ whatsapp, onError: () => undefined });
	const failure = await webhooks.listen({ host: "127.0.0.1", port: address.port }).catch((error: unknown) => error);
	other.close();
	expect(knownProblem(failure, HOME)).toBe(
		`The bridge can't listen on 127.0.0.1, port ${address.port}, because another program is using that port. End that program, or set XWORKMATE_WEBHOOK_LISTEN to an address with another port.`,
	);
});

it.each([
	["EACCES", "permission was denied. Set XWORKMATE_BRIDGE_LISTEN to an address with another port, 1024 or higher."],
	["EADDRNOTAVAIL", "this computer has no such address. Set XWORKMATE_BRIDGE_LISTEN to another address."],
])("an address that the system refuses with %s is not a file that can't be written", (code, words) => {
	const error = Object.assign(new Error(`listen ${code}`), { code, syscall: "listen", address: "127.0.0.1", port: 80 });
	expect(knownProblem(error, HOME)).toBe(`The bridge can't listen on 127.0.0.1, port 80, because ${words}`);
});
