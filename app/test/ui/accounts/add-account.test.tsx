import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { isAccountName, otherKind } from "../../../src/ui/accounts/pasted-secret.ts";
import { Refused } from "../fake-app.ts";
import { profile } from "./account-stories.ts";
import { called, leave, open, order, told } from "./accounts-scene.tsx";

afterEach(leave);

describe("the form for an account", () => {
	const token = `sk-ant-oat01-${"t".repeat(90)}`;
	const key = `sk-ant-api03-${"k".repeat(90)}`;
	const paste = (label: string, value: string) => {
		const field = screen.getByLabelText(label);
		fireEvent.input(field, { target: { value } });
		return field as HTMLInputElement;
	};
	const openForm = async () => fireEvent.click(await screen.findByRole("button", { name: "Add account" }));

	it("sends a setup token once, clears it, tests the account, and shows the secret nowhere", async () => {
		const { calls } = open([]);
		await openForm();
		expect(screen.getByText("claude setup-token")).toBeDefined();
		const field = paste("Paste the setup token", token);
		expect(field.type).toBe("password");
		fireEvent.click(screen.getByRole("button", { name: "Save and test" }));
		expect(field.value).toBe("");
		await waitFor(() => expect(order()).toEqual(["anthropic:manual"]));
		expect(called(calls, "setAccount")).toEqual([{ provider: "anthropic", credential: { type: "token", token } }]);
		// The assistant is ready with it, which the whole page is to know.
		expect(called(calls, "testBridge")).toHaveLength(1);
		await waitFor(() => expect(called(calls, "testAccount")).toEqual([{ profileId: "anthropic:manual" }]));
		expect(told()).toEqual(["Saved anthropic:manual. It is now the first account tried for its provider."]);
		expect(document.documentElement.outerHTML).not.toContain(token);
	});

	it.each(["CREDENTIAL_INVALID", "CREDENTIAL_KNOWN", "ACCOUNT_EXISTS"])(
		"says beside the field what %s is about, and loses nothing but the secret",
		async (code) => {
			const { calls } = open([], { setAccount: new Refused(code, "The token has 61 characters, and it should have at least 80.") });
			await openForm();
			fireEvent.change(screen.getByLabelText("Name (optional)"), { target: { value: "work" } });
			const field = paste("Paste the setup token", "sk-ant-oat01-short");
			fireEvent.click(screen.getByRole("button", { name: "Save and test" }));
			await waitFor(() => expect(screen.getByRole("alert").textContent).toContain("The token has 61 characters"));
			expect(field.getAttribute("aria-invalid")).toBe("true");
			expect(field.getAttribute("aria-describedby")).toContain(screen.getByRole("alert").id);
			expect(document.activeElement).toBe(field);
			expect(field.value).toBe("");
			expect((screen.getByLabelText("Name (optional)") as HTMLInputElement).value).toBe("work");
			expect(called(calls, "setAccount")).toMatchObject([{ profileId: "anthropic:work" }]);
			expect(document.documentElement.outerHTML).not.toContain("sk-ant-oat01-short");
		},
	);

	it("knows a key from a token by its beginning, and saves it as the other without another paste", async () => {
		const { calls } = open([]);
		await openForm();
		const field = paste("Paste the setup token", key);
		const save = screen.getByRole("button", { name: "Save and test" });
		expect(screen.getByRole("alert").textContent).toBe("This is an API key, not a setup token.");
		expect(save).toHaveProperty("disabled", true);
		fireEvent.click(screen.getByRole("button", { name: "Save it as an API key instead" }));
		expect(screen.getByLabelText("Paste the API key")).toBe(field);
		fireEvent.click(save);
		await waitFor(() => expect(called(calls, "setAccount")).toEqual([{ provider: "anthropic", credential: { type: "api_key", key } }]));
		expect([otherKind("key", ` ${token}`), otherKind("openai", token), otherKind("key", key)]).toEqual([
			"subscription",
			undefined,
			undefined,
		]);
	});

	it("takes a key for a server that speaks OpenAI's protocol, and says how its address is set", async () => {
		const { calls } = open([]);
		await openForm();
		fireEvent.click(screen.getByRole("radio", { name: /OpenAI or a compatible server/ }));
		expect(screen.getByText(/export OPENAI_BASE_URL=/)).toBeDefined();
		paste("Paste the API key", "env:MY_KEY");
		fireEvent.click(screen.getByRole("button", { name: "Save and test" }));
		await waitFor(() =>
			expect(called(calls, "setAccount")).toEqual([{ provider: "openai", credential: { type: "api_key", key: "env:MY_KEY" } }]),
		);
	});

	it("gives a rejected account another credential under its own name", async () => {
		const rejected = profile("anthropic:old", { state: "cooling", reason: "auth", until: "2026-01-02T10:42:00.000Z" });
		const { calls } = open([rejected]);
		fireEvent.click(await screen.findByRole("button", { name: "Replace it" }));
		expect(screen.getByRole("form", { name: "Replace anthropic:old" })).toBeDefined();
		expect(screen.queryByLabelText("Name (optional)")).toBeNull();
		paste("Paste the API key", key);
		fireEvent.click(screen.getByRole("button", { name: "Save and test" }));
		await waitFor(() => expect(called(calls, "setAccount")).toMatchObject([{ profileId: "anthropic:old", replace: true }]));
	});

	it("sends nothing under a name that no account can have", async () => {
		open([]);
		await openForm();
		paste("Paste the setup token", token);
		fireEvent.change(screen.getByLabelText("Name (optional)"), { target: { value: "../x" } });
		expect(screen.getByRole("button", { name: "Save and test" })).toHaveProperty("disabled", true);
		expect([isAccountName("work-2"), isAccountName(""), isAccountName("-x"), isAccountName("a".repeat(65))]).toEqual([
			true,
			false,
			false,
			false,
		]);
	});
});
