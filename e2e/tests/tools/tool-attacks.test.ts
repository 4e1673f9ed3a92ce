import { appendFile, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settle } from "../../support/bridge/settle.ts";
import { AttackedBridge } from "../../support/hostile/attacked-bridge.ts";
import { harmlessSource, hostAttacks } from "../../support/hostile/host-attacks.ts";
import { verifyReceipts } from "../../support/wire/receipts.ts";
import { turn } from "../../support/wire/turn.ts";

/** The others are in the extended tests. */
const attacks = hostAttacks.filter(({ isLong }) => isLong !== true);
const [forbidden, others] = [attacks.filter(({ isForbidden }) => isForbidden), attacks.filter(({ isForbidden }) => !isForbidden)];

let attacked: AttackedBridge;

beforeAll(async () => {
	attacked = await AttackedBridge.open(attacks);
	await attacked.add("changing", harmlessSource("changing.thing.peace"));
}, 60_000);
afterAll(() => attacked[Symbol.asyncDispose]());

describe("an accepted tool that attacks", { timeout: 60_000 }, () => {
	it(`is forbidden what is not its own, in ${forbidden.length} ways`, () => attacked.expectHeld(forbidden));

	it.for(others.map((attack) => [attack.name, attack] as const))("it %s", ([, attack]) => attacked.expectHeld([attack]));
});

describe("a folder that attacks", { timeout: 60_000 }, () => {
	it("gives no tool: a link, a name or an id of others, an import from elsewhere", async () => {
		const { folder } = attacked;
		await symlink(join(folder, "attack"), join(folder, "linked"));
		await mkdir(join(folder, "holdsALink"));
		await symlink(join(attacked.bridge.home.xworkmate, "secrets.json"), join(folder, "holdsALink", "tools.ts"));
		await attacked.write("files", harmlessSource("files.thing.peace"));
		await attacked.write("idsOfAnother", harmlessSource("changing.thing.peace"));
		await attacked.write("importsAnother", 'export * from "../../changing/tools.ts";\n');
		await attacked.write("importsTheBridge", 'export * from "../../../../bridge/src/main.ts";\n');
		await attacked.write("namesAPrototype", harmlessSource("namesAPrototype.__proto__.peace"));
		const listed = await attacked.reload();
		const inState = (state: string) => listed.filter((one) => one.state === state).map(({ integration }) => integration);
		expect(inState("active")).toEqual(["attack", "changing"]);
		expect(inState("unaccepted")).toEqual([]);
		expect(inState("failed")).toHaveLength(7);
	});

	it("that changes after it was accepted is denied to a run that cannot ask", async () => {
		await appendFile(join(attacked.folder, "changing", "tools.ts"), "// another version\n");
		expect(await attacked.reload()).toContainEqual(expect.objectContaining({ integration: "changing", state: "unaccepted" }));
		const xworkmateAssistant = { unattended: true, toolPolicy: { "changing.thing.peace": "allow" } };
		const params = turn({
			prompt: "const r = await tools.changing.peace({}); return r.ok ? r.value : r.error.code;",
			providerId: "script",
			more: { metadata: { xworkmateAssistant } },
		});
		const { snapshot } = await settle(attacked.bridge.client(), params);
		expect(snapshot.output?.text).toBe("DENIED");
	});

	it("has left receipts that hold", async () => {
		expect(await verifyReceipts(attacked.bridge.client())).toMatchObject({ ok: true });
	});
});
