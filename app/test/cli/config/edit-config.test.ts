import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { editConfig } from "../../../src/cli/config/edit-config.ts";
import { RecordingConsole } from "../../support/recording-console.ts";

it("opens a copy, and replaces config.json only with a text that can be used", async () => {
	const home = await mkdtemp(join(tmpdir(), "edit-config-"));
	const [path, copy] = [join(home, "config.json"), join(home, "config.edit.json")];
	const text = () => readFileSync(path, "utf8");
	const before = '{\n\t"maxQueued": 4 // mine\n}\n';
	writeFileSync(path, before);
	const console = new RecordingConsole();
	const edit = (EDITOR: string) => editConfig({ home, env: { EDITOR }, console });
	expect(await edit("sed -i s/maxQ/minQ/")).toBe(1);
	expect(JSON.stringify(console)).toContain('2:2: \\"minQueued\\" is not an XWorkmate setting. Did you mean \\"maxQueued\\"?');
	expect(text()).toBe(before);
	// The text is kept, whatever the next editor does.
	await expect(edit("false")).rejects.toThrow("ended with an error");
	expect(readFileSync(copy, "utf8")).toContain("minQueued");
	expect(await edit("sed -i 's/minQueued\": 4/maxQueued\": 5/'")).toBe(0);
	expect(text()).toBe('{\n\t"maxQueued": 5 // mine\n}\n');
	expect(existsSync(copy)).toBe(false);
	// Another program was quicker.
	await expect(edit(`sh -c 'echo "{}" > "${path}"; echo "{ }" > "$1"' sh`)).rejects.toThrow("was changed by another program");
	expect(text()).toBe("{}\n");
	expect(readFileSync(copy, "utf8")).toBe("{ }\n");
	await rm(home, { recursive: true });
});

it("says after an edit without a change that a broken config.json still can't be used, and names all that is wrong with it", async () => {
	const home = await mkdtemp(join(tmpdir(), "edit-config-"));
	writeFileSync(join(home, "config.json"), '{\n\t"maxQeued": 4,\n\t"nothing": 1\n}\n');
	const console = new RecordingConsole();
	expect(await editConfig({ home, env: { EDITOR: "true" }, console })).toBe(1);
	expect(console.lines).toEqual(["Nothing was changed."]);
	const path = join(home, "config.json");
	expect(console.notes.join()).toContain(`The file still can't be used. ${path}:2:2: "maxQeued" is not an XWorkmate setting.`);
	expect(console.notes.join()).toContain(`Also, ${path}:3:2: "nothing" is not an XWorkmate setting.`);
	expect(existsSync(join(home, "config.edit.json"))).toBe(false);
	await rm(home, { recursive: true });
});
