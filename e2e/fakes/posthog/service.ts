import { randomUUID } from "node:crypto";
import { jsonReply, objectIn } from "../service/json-reply.ts";
import type { Asked, Did, Reply, Service } from "../service/serve.ts";
import { type PageView, pageViewsIn, visitors } from "./page-views.ts";

interface Insight {
	readonly id: number;
	readonly name: string;
	readonly query: unknown;
	readonly deleted: boolean;
}

interface Alert {
	readonly id: string;
	readonly name: string;
	readonly insight: number;
	readonly fields: Readonly<Record<string, unknown>>;
}

const PROJECT = "1815";
const USER = { id: 7, uuid: "018f0000-0000-0000-0000-000000000007", email: "ada@example.org", first_name: "Ada" };
const keys: Readonly<Record<string, readonly string[]>> = {
	phx_ada: ["query:read", "insight:read", "insight:write", "alert:read", "alert:write", "user:read"],
	phx_reader: ["query:read", "user:read", "alert:read"],
};
const INTERVALS = ["hourly", "daily", "weekly", "monthly"];

export function postHogService(): Service {
	const views: PageView[] = [];
	const insights = new Map<number, Insight>();
	const alerts = new Map<string, Alert>();
	let lastInsight = 900;

	return (asked, did) => {
		const { method, path, headers } = asked;
		if (path === "/batch/" && method === "POST") {
			const found = pageViewsIn(objectIn(asked.body), "phc_1815");
			if (found === undefined) return problem(401, "authentication_error", "invalid_api_key", "Project API key invalid.");
			views.push(...found);
			return jsonReply(200, { status: 1 });
		}
		const key = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
		if (key === undefined)
			return problem(401, "authentication_error", "not_authenticated", "Authentication credentials were not provided.");
		const scopes = keys[key];
		if (scopes === undefined) return problem(401, "authentication_error", "authentication_failed", "Invalid Personal API key.");
		const needs = (scope: string, act: () => Reply): Reply =>
			scopes.includes(scope)
				? act()
				: problem(403, "authentication_error", "permission_denied", `API key missing required scope '${scope}'`);
		if (path === "/api/users/@me/" && method === "GET") return needs("user:read", () => jsonReply(200, USER));
		const [, project, rest = ""] = /^\/api\/projects\/([^/]+)(\/.*)$/.exec(path) ?? [];
		if (project !== PROJECT) return notFound();
		if (rest === "/query/" && method === "POST") return needs("query:read", () => query(asked));
		if (rest === "/insights/" && method === "POST") return needs("insight:write", () => createInsight(asked, did));
		const [, insight] = /^\/insights\/(\d+)\/$/.exec(rest) ?? [];
		if (insight !== undefined) return oneInsight(Number(insight), asked, did, needs);
		if (rest === "/alerts/" && method === "POST") return needs("alert:write", () => createAlert(asked, did));
		if (rest === "/alerts/" && method === "GET") return needs("alert:read", () => listAlerts(asked));
		const [, alert] = /^\/alerts\/([\w-]+)\/$/.exec(rest) ?? [];
		return alert === undefined ? notFound() : oneAlert(alert, asked, did, needs);
	};

	function query({ body }: Asked): Reply {
		const asked = objectIn(body)?.query;
		const counted = visitors(asked, views);
		if (counted === undefined) return problem(400, "validation_error", "invalid_input", "Unable to parse the query.", "query");
		return jsonReply(200, {
			results: [[counted]],
			columns: ["visitors"],
			types: [["visitors", "UInt64"]],
			error: null,
			hasMore: false,
			is_cached: false,
		});
	}

	function createInsight({ body }: Asked, did: Did): Reply {
		const { name = "", query: wanted } = objectIn(body) ?? {};
		if (typeof wanted !== "object" || wanted === null)
			return problem(400, "validation_error", "required", "This field is required.", "query");
		lastInsight += 1;
		const insight = { id: lastInsight, name: String(name), query: wanted, deleted: false };
		insights.set(insight.id, insight);
		did("insight.created", insight.name);
		return jsonReply(201, shownInsight(insight));
	}

	function oneInsight(id: number, { method, body }: Asked, did: Did, needs: (scope: string, act: () => Reply) => Reply): Reply {
		const insight = insights.get(id);
		if (insight === undefined || insight.deleted) return notFound();
		if (method === "GET") return needs("insight:read", () => jsonReply(200, shownInsight(insight)));
		// PostHog deletes insights only by marking them.
		if (method === "DELETE") return problem(405, "invalid_request", "method_not_allowed", 'Method "DELETE" not allowed.');
		if (method !== "PATCH") return notFound();
		return needs("insight:write", () => {
			const changed = { ...insight, deleted: objectIn(body)?.deleted === true };
			insights.set(id, changed);
			if (changed.deleted) {
				did("insight.deleted", String(id));
				for (const [alert, { insight: of }] of alerts) if (of === id) alerts.delete(alert);
			}
			return jsonReply(200, shownInsight(changed));
		});
	}

	function createAlert({ body }: Asked, did: Did): Reply {
		const { insight, name = "", ...fields } = objectIn(body) ?? {};
		const required = (field: string) => problem(400, "validation_error", "required", "This field is required.", field);
		if (insight === undefined) return required("insight");
		const of = insights.get(Number(insight));
		if (of === undefined || of.deleted) {
			return problem(400, "validation_error", "does_not_exist", `Invalid pk "${insight}" - object does not exist.`, "insight");
		}
		const { subscribed_users: users, threshold, calculation_interval: interval = "daily" } = fields;
		if (!Array.isArray(users)) return required("subscribed_users");
		if (users.some((user) => user !== USER.id)) {
			return problem(400, "validation_error", "does_not_exist", `Invalid pk "${users[0]}" - object does not exist.`, "subscribed_users");
		}
		if (threshold === undefined) return required("threshold");
		if (!INTERVALS.includes(String(interval))) {
			return problem(400, "validation_error", "invalid_choice", `"${interval}" is not a valid choice.`, "calculation_interval");
		}
		const alert = { id: randomUUID(), name: String(name), insight: of.id, fields: { ...fields, calculation_interval: interval } };
		alerts.set(alert.id, alert);
		did("alert.created", alert.name);
		return jsonReply(201, shownAlert(alert));
	}

	function listAlerts({ query: asked, origin, path }: Asked): Reply {
		const limit = Number(asked.get("limit") ?? 100);
		const offset = Number(asked.get("offset") ?? 0);
		const all = [...alerts.values()].toReversed().map(shownAlert);
		const next = offset + limit < all.length ? `${origin}${path}?limit=${limit}&offset=${offset + limit}` : null;
		return jsonReply(200, { count: all.length, next, previous: null, results: all.slice(offset, offset + limit) });
	}

	function oneAlert(id: string, { method }: Asked, did: Did, needs: (scope: string, act: () => Reply) => Reply): Reply {
		const alert = alerts.get(id);
		if (alert === undefined) return notFound();
		if (method === "GET") return needs("alert:read", () => jsonReply(200, shownAlert(alert)));
		if (method !== "DELETE") return problem(405, "invalid_request", "method_not_allowed", `Method "${method}" not allowed.`);
		return needs("alert:write", () => {
			alerts.delete(id);
			did("alert.deleted", id);
			return { status: 204 };
		});
	}

	function shownAlert({ id, name, insight, fields }: Alert) {
		const of = insights.get(insight);
		return { id, name, insight: of === undefined ? insight : shownInsight(of), state: "Not firing", enabled: true, ...fields };
	}
}

function shownInsight({ id, name, query, deleted }: Insight) {
	return { id, short_id: `s${id}`, name, query, deleted, created_by: USER };
}

function notFound(): Reply {
	return problem(404, "invalid_request", "not_found", "Not found.");
}

function problem(status: number, type: string, code: string, detail: string, attr: string | null = null): Reply {
	return jsonReply(status, { type, code, detail, attr });
}
