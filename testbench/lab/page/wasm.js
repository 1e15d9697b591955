// The models in the page itself: a WebAssembly module, activity and listings, all embedded.
export async function unpacked(id) {
  const text = document.getElementById(id).textContent;
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// What model.js needs: call(), load(), open(), listing(). Tables are copied from the module's memory.
export class Module {
  #module;
  static async start() {
    const one = new Module();
    one.#module = await globalThis.createLaboratory({ wasmBinary: await unpacked("wasm") });
    return one;
  }
  /// The answer to a request, and rows(at, words): a copy of the words of a table.
  async call(request) {
    const module = this.#module, text = JSON.stringify(request), size = module.lengthBytesUTF8(text) + 1;
    const at = module._malloc(size);
    module.stringToUTF8(text, at, size);
    const answer = JSON.parse(module.UTF8ToString(module._lab_call(at)));
    module._free(at);
    return { answer, rows: (place, words) => module.HEAPU32.slice(place >>> 2, (place >>> 2) + words) };
  }
  /// Copies the bytes to the module's memory while `use` runs.
  #with(bytes, use) {
    const module = this.#module, at = module._malloc(bytes.length);
    module.HEAPU8.set(bytes, at);
    try {
      return use(at, bytes.length);
    } finally {
      module._free(at);
    }
  }
  /// Loads a program's activity. All its targets have the same core.
  async load(id) {
    const module = this.#module, image = await unpacked(`activity-${id}`);
    const error = this.#with(image, (at, size) => module._lab_load(at, size));
    if (error !== 0) throw new Error(module.UTF8ToString(error));
  }
  async open(name, bytes) {
    const module = this.#module;
    return this.#with(bytes, (at, size) => this.#with(new TextEncoder().encode(`${name}\0`), (text) =>
      JSON.parse(module.UTF8ToString(module._lab_open(at, size, text)))));
  }
  async listing(id) { return JSON.parse(new TextDecoder().decode(await unpacked(`listing-${id}`))); }
}
