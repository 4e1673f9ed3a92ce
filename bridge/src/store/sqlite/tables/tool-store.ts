import type { Database } from "better-sqlite3";
import type { ToolAcceptance, ToolRule, ToolStore } from "../../../ports/tools/tool-store.ts";
import { answer } from "../rows/translate-error.ts";

/** Stores acceptances of tools and rules for them, in SQLite. Acceptances are only ever added. */
export function createToolStore(db: Database): ToolStore {
	const newest = db.prepare<[], ToolAcceptance>(
		`SELECT integration, hash AS toolHash, decided_by AS "by", at FROM tool_acceptance
		WHERE id IN (SELECT max(id) FROM tool_acceptance GROUP BY integration) ORDER BY integration`,
	);
	const accept = db.prepare<[string, string, string, string]>(
		"INSERT INTO tool_acceptance (integration, hash, decided_by, at) VALUES (?, ?, ?, ?)",
	);
	const rules = db.prepare<[], ToolRule>(`SELECT tool AS toolId, decision, decided_by AS "by", at FROM tool_policy ORDER BY tool`);
	const setRule = db.prepare<[string, string, string, string]>(
		`INSERT INTO tool_policy (tool, decision, decided_by, at) VALUES (?, ?, ?, ?)
		ON CONFLICT (tool) DO UPDATE SET decision = excluded.decision, decided_by = excluded.decided_by, at = excluded.at`,
	);
	const removeRule = db.prepare<[string]>("DELETE FROM tool_policy WHERE tool = ?");
	return {
		acceptances: () => answer(db.name, () => newest.all()),
		accept: ({ integration, toolHash, by, at }) => answer(db.name, () => void accept.run(integration, toolHash, by, at)),
		rules: () => answer(db.name, () => rules.all()),
		setRule: ({ toolId, decision, by, at }) => answer(db.name, () => void setRule.run(toolId, decision, by, at)),
		removeRule: (toolId) => answer(db.name, () => void removeRule.run(toolId)),
	};
}
