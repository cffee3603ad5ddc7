"""The differences between the genuine package and the reference runtime that are meant, each with its reason.

A key is a test's name, or all that begin alike where it ends in ``*``, and then an item of it (``*``: every one). What
is listed must differ: a test sees to it.
"""

LEAN = "the lean package does not register the classes of the builder, so it cannot name them; the whole one does"
NO_CUDA = "the genuine class opens the CUDA driver first, which this computer does not have"
DELETED = "the original warns at every deletion of such an object, the garbage collector's too; ours are silent"
GARBAGE = "the original answers with what happened to be in memory"
UNDECODABLE = "bytes that are not UTF-8 are refused when they are assigned; the original refuses when they are read"
NUMPY_SCALAR = "an array without dimensions is refused in the words of a wrong argument"
KEPT = "the original never frees a clone that Python asked for; ours goes when nobody holds it"
BUFFERS = "before CPython 3.12 only a class that derives from bytes can be a buffer without a module in C"
UNSET = "nothing was assigned: what is read is empty, and each time another object"
NOWHERE = "the original hands the override a view of memory that is not there, and dies when it is looked into"
TEMPORARY = "the original's text is gone before Python gets it"
SUBCLASSED = "plugins of the implicit-batch interfaces may be written in Python here; the original has no constructor"

MEANT = {
    ("attributes[IPluginV2]", "*"): SUBCLASSED,
    ("attributes[IPluginV2Ext]", "*"): SUBCLASSED,
    ("life[IPluginV2]", "*"): SUBCLASSED,
    ("life[IPluginV2Ext]", "*"): SUBCLASSED,
    ("overrides[IPluginV2]", "*"): SUBCLASSED,
    ("overrides[IPluginV2Ext]", "*"): SUBCLASSED,
    ("shape[IHostMemory]", "*"): BUFFERS,
    ("signatures[IHostMemory]", "*"): BUFFERS,
    ("attributes[IPluginCreator*", "field_names read twice"): UNSET,
    ("overrides[IStreamWriter]", "*"): NOWHERE,
    ("overrides[IErrorRecorder]", "get_error_desc: answers *"): TEMPORARY,
    ("plugins.a_clone_nobody_holds", "*"): KEPT,
    ("attributes[PluginTensorDesc]", "format*"): LEAN,
    ("case[ptd.default.format]", "*"): LEAN,
    ("case[ptd.format_int]", "*"): LEAN,
    ("case[module.public_names]", "*"): LEAN,
    ("signatures[ICudaEngine]", "create_engine_inspector*"): LEAN,
    ("signatures[ICudaEngine]", "get_tensor_format*"): LEAN,
    ("overrides[IStreamReaderV2]", "*"): NO_CUDA,
    ("life[IStreamReaderV2]", "*"): NO_CUDA,
    ("shape[ICudaEngine]", "special methods"): DELETED,
    ("shape[ICudaEngine]", "forgotten __init__"): DELETED,
    ("shape[IExecutionContext]", "special methods"): DELETED,
    ("shape[IExecutionContext]", "forgotten __init__"): DELETED,
    ("shape[Refitter]", "special methods"): DELETED,
    ("shape[Refitter]", "forgotten __init__"): DELETED,
    ("shape[Runtime]", "special methods"): DELETED,
    ("shape[Runtime]", "forgotten __init__"): DELETED,
    ("overrides[IPluginV2DynamicExt]", "get_output_shape*"): GARBAGE,
    ("attributes[*", "* = b'\\xff'"): UNDECODABLE,
    ("attributes[*", "* = array(5)"): NUMPY_SCALAR,
}


def reason(test, item):
    """Return the key and the reason of a difference, or None."""
    for key, why in MEANT.items():
        if fits(key[0], test) and fits(key[1], item):
            return key, why
    return None


def fits(pattern, name):
    """Say whether a name is the pattern, or begins and ends as it does around its star."""
    start, star, end = pattern.partition("*")
    return name.startswith(start) and name.endswith(end) if star else name == pattern
