import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { saveMediaBuffer } from "openclaw/plugin-sdk/media-store";
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

// What real media tools do on a gateway: a file in its media folder, one in its temp folder, and a picture
// that is made in the background while the run goes on. No file of theirs is in a run's scope by itself.
const picture = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

const named = {
	type: "object",
	additionalProperties: false,
	properties: { name: { type: "string" } },
	required: ["name"],
};

const media = {
	name: "fake_media",
	label: "Fake media",
	description: "Makes a picture in the gateway's media folder.",
	parameters: named,
	async execute(_callId, { name }) {
		const saved = await saveMediaBuffer(Buffer.concat([picture, Buffer.from(name)]), "image/png", "tool-image-generation", undefined, name);
		return {
			content: [{ type: "text", text: `made ${saved.path}\nMEDIA:${saved.path}` }],
			details: { media: { mediaUrls: [saved.path] } },
		};
	},
};

const temporary = {
	name: "fake_temporary",
	label: "Fake temporary file",
	description: "Makes a file in the gateway's temp folder.",
	parameters: named,
	async execute(_callId, { name }) {
		const path = join(process.env.TMPDIR ?? "/tmp", name);
		writeFileSync(path, `made for ${name}`);
		return { content: [{ type: "text", text: `saved ${path}` }], details: { path } };
	},
};

const pictures = {
	id: "fake-image",
	label: "Fake image",
	defaultModel: "one",
	models: ["one"],
	isConfigured: () => true,
	capabilities: { generate: { maxCount: 4 }, edit: { enabled: false } },
	async generateImage({ prompt }) {
		const buffer = Buffer.concat([picture, Buffer.from(prompt)]);
		return { images: [{ buffer, mimeType: "image/png", fileName: "generated.png" }], model: "one" };
	},
};

export default definePluginEntry({
	id: "fake-media",
	name: "Fake media",
	description: "Tools of the tests that leave files where real media tools leave them.",
	register(api) {
		api.registerTool(() => media, { names: [media.name] });
		api.registerTool(() => temporary, { names: [temporary.name] });
		api.registerImageGenerationProvider(pictures);
	},
});
