import { changeConfig } from "../../src/settings/change-config.ts";

const [home = "", key = ""] = process.argv.slice(2);
for (let value = 1; value <= 5; value++) {
	await changeConfig(home, key, value);
	process.send?.(value);
}
process.disconnect?.();
