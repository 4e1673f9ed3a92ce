import type { AppApi } from "../../api/app-api.ts";
import type { Console } from "../words/console.ts";

/** With `--json`, prints the core's result as one document. */
export interface Output {
	readonly api: AppApi;
	readonly console: Console;
	readonly json: boolean;
}
