import type { Migration } from "@xworkmate/platform/sqlite";
import { schemaV1 } from "./schema-v1.ts";
import { schemaV2 } from "./schema-v2.ts";
import { schemaV3 } from "./schema-v3.ts";
import { schemaV4 } from "./schema-v4.ts";
import { schemaV5 } from "./schema-v5.ts";
import { schemaV6 } from "./schema-v6.ts";
import { schemaV7 } from "./schema-v7.ts";
import { schemaV8 } from "./schema-v8.ts";
import { schemaV9 } from "./schema-v9.ts";
import { schemaV10 } from "./schema-v10.ts";

/** The steps in order. A step's position is the version (`user_version`) that it migrates to. New steps are only appended. */
export const storeMigrations: readonly Migration[] = [
	{ name: "runs, sessions and child processes", sql: schemaV1 },
	{ name: "each thread's deliveries", sql: schemaV2 },
	{ name: "attempts", sql: schemaV3 },
	{ name: "what changed", sql: schemaV4 },
	{ name: "indexes for a million runs", sql: schemaV5, keepsReferences: true },
	{ name: "typed tools and receipts", sql: schemaV6 },
	{ name: "accounts and operators", sql: schemaV7 },
	{ name: "plans and deliveries", sql: schemaV8 },
	{ name: "reports on sent messages", sql: schemaV9 },
	{ name: "receipts of deliveries", sql: schemaV10 },
];
